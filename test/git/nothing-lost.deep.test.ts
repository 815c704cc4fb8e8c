import { expectKillsSurvived, expectNothingLostIn } from './nothing-lost.ts'

expectNothingLostIn(30)
expectKillsSurvived(1)
