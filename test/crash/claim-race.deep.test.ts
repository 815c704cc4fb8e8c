import { raceForClaims } from './claim-race.ts'

raceForClaims(1_000, 10, [700, 2_000, 3_500])
