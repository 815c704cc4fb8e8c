import { landInGroups, landLargeGraph } from './queue-property.ts'

landInGroups([1, 2, 3, 4, 5, 6, 7, 8])
landLargeGraph(200)
