import { useAtOnce } from './parallel.ts'

useAtOnce(32, 10)
