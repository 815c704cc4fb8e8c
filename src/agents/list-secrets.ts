const SECRET_LENGTH_MIN = 16
const SECRET_NAME = /key|token|secret|passw|credential|auth/i

/** The long values under secret-like names in a JSON text, to be redacted wherever they appear. */
export function listSecretsIn(text: string): string[] {
  const secrets: string[] = []
  const visit = (name: string, value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length >= SECRET_LENGTH_MIN && SECRET_NAME.test(name)) secrets.push(value)
    } else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) visit(`${name}.${key}`, inner)
  }
  try {
    visit('', JSON.parse(text))
  } catch {
    return []
  }
  return secrets
}

/** The values of an environment that are secret by their name. */
export function listSecretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= SECRET_LENGTH_MIN && SECRET_NAME.test(name) ? [value] : [],
  )
}
