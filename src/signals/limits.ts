/** A longer line is cut here; what is left of it never becomes a signal. */
export const LINE_BYTES_MAX = 64 * 1024
/** A paragraph is held until it ends, because a code span may cross its lines; a longer one is split between lines. */
export const BLOCK_BYTES_MAX = 64 * 1024
export const PAYLOAD_CHARACTERS_MAX = 4_000
/** What follows a line signal is kept up to here; the rest of the message is dropped from the body. */
export const BODY_CHARACTERS_MAX = 64 * 1024
/** Verdicts of one message: the oldest goes first, because the last one counts. */
export const VERDICTS_PER_MESSAGE_MAX = 100
/** Progress, discoveries, checkpoints and markers of one iteration. */
export const REMARKS_PER_ITERATION_MAX = 1_000
export const PROBLEMS_PER_ITERATION_MAX = 200
/** The same fault again and again is one fault. */
export const PROBLEM_REPEATS_MAX = 3
/** The text of a problem, in the log and on the screen. */
export const RAW_CHARACTERS_MAX = 300
