import { useAtOnce } from './parallel.ts'

useAtOnce(8, 2)
