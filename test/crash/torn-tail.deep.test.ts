import { cutLastLines } from './torn-tail.ts'

cutLastLines(1)
