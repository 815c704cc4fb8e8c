import { cutLastLines } from './torn-tail.ts'

// A prime, so that the cuts lie at other places of each line.
cutLastLines(11)
