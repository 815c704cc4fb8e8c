const PLACEHOLDER = /\{slot(?:\+(\d{1,5}))?\}/g

/** `{slot}` becomes the number of the slot, `{slot+3000}` that number plus 3000: a port or database for each agent. */
export function fillSlot(template: string, slot: number): string {
  return template.replaceAll(PLACEHOLDER, (_whole, added?: string) => String(slot + Number(added ?? 0)))
}
