import { landInGroups } from './queue-property.ts'

landInGroups([1, 3, 8])
