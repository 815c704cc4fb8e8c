/** File names in the experts' folder that belong to the role itself. */
const RESERVED: readonly string[] = ['prompt', 'rules']
const NAME = /^[a-z][a-z0-9-]{0,59}$/

export const EXPERT_NAME_RULE = 'small letters, digits and hyphens; not "prompt" or "rules"'

/** An expert has the name of its file. */
export function isExpertName(name: string): boolean {
  return NAME.test(name) && !RESERVED.includes(name)
}
