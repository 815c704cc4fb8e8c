import { thisHost } from '../platform/host-mark.ts'
import { isDirectorAlive, isOnOtherHost } from '../project/director-lock.ts'
import type { WhoDirects } from './picture/project-row.ts'

/** A process that has ended directs nothing, even if the project still names it. */
export const whoDirects: WhoDirects = async (director) => {
  if (director === null) return 'none'
  if (isOnOtherHost(thisHost(), director)) return 'elsewhere'
  if (!(await isDirectorAlive(director))) return 'none'
  return director.pid === process.pid ? 'here' : 'elsewhere'
}
