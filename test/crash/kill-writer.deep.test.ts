import { killSafeWriters } from './kill-writer.ts'

killSafeWriters(10, 10)
