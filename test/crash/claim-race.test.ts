import { raceForClaims } from './claim-race.ts'

raceForClaims(200, 4, [150, 500])
