/** The first port of slot 0; each slot has enough ports for a few small servers. */
const PORT_BASE = 20_000
const PORTS_PER_SLOT = 20

/** Values that keep parallel runs from using the same ports and databases. */
export interface SlotVariables {
  readonly environment: Readonly<Record<string, string>>
  /** Replaces `{slot}`, `{port}` and `{database}` by the slot's values. */
  fill(text: string): string
}

export function slotVariables(
  slot: number,
  project: string,
  configured: Readonly<Record<string, string>>,
): SlotVariables {
  const values: Record<string, string> = {
    slot: String(slot),
    port: String(PORT_BASE + slot * PORTS_PER_SLOT),
    database: `axiom_${project.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}_${slot}`,
  }
  const fill = (text: string): string =>
    text.replaceAll(/\{(slot|port|database)\}/g, (_, name) => values[name] ?? '')
  return {
    fill,
    environment: {
      AXIOM_SLOT: values.slot ?? '',
      AXIOM_PORT: values.port ?? '',
      AXIOM_DATABASE: values.database ?? '',
      ...Object.fromEntries(Object.entries(configured).map(([name, value]) => [name, fill(value)])),
    },
  }
}
