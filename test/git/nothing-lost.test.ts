import { expectKillsSurvived, expectNothingLostIn } from './nothing-lost.ts'

expectNothingLostIn(8)
expectKillsSurvived(9)
