const AMOUNT = /^([+-]?)(\d+)(?:[.,](\d{1,2}))?$/

/** Cents of an amount as people write it: `12`, `-3.5`, `+1,25`. */
export function parseAmount(text) {
  const [, sign, units, fraction = ''] = AMOUNT.exec(text.trim()) ?? []
  if (units === undefined) throw new RangeError(`"${text}" is no amount`)
  const cents = Number(units) * 100 + Number(fraction.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

/** The other way round, always with two digits behind the point. */
export function formatAmount(cents) {
  const whole = Math.trunc(Math.abs(cents) / 100)
  const rest = String(Math.abs(cents) % 100).padStart(2, '0')
  return `${cents < 0 ? '-' : ''}${whole}.${rest}`
}
