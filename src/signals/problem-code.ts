export type ProblemCode =
  | 'SIGNAL_MALFORMED'
  | 'SIGNAL_UNKNOWN_TYPE'
  | 'SIGNAL_MISSING_PAYLOAD'
  | 'SIGNAL_INVALID_PAYLOAD'
  /** A verdict inside a sentence: a plan, a negation or a quotation, not a claim. */
  | 'SIGNAL_NOT_ALONE'
  /** A verdict in a message that was not the last one of its iteration. */
  | 'SIGNAL_NOT_LAST'
  | 'SIGNAL_WRONG_SENDER'
  | 'SIGNAL_FOREIGN_TASK'
  /** More signals than an iteration can hold; the ones beyond the bound are dropped. */
  | 'SIGNAL_FLOOD'
