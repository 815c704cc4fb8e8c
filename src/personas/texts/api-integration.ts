import type { Words } from '../words.ts'

export function writeApiIntegration({ vocabulary, signal }: Words): string {
  return `# API Integration

Call somebody else's HTTP service so that its bad days do not become ours.

## When to Use
- Connecting to a third-party REST or GraphQL service
- Building or changing an API client, its authentication, its retries or its webhooks
- A remote call that times out, is rate limited or answers in an unexpected shape

## Instructions

### Step 1: Read
Find in the service's documentation or in recorded answers: base URL, authentication, limits, the shape of errors, which calls may be repeated safely. Look for a client that this repository already has; extend it before you write a second.

### Step 2: One place
Put the calls behind one small module with typed functions. Address and key come in from configuration. Nothing else in the program knows the URL.

### Step 3: Distrust the answer
Set a timeout on every call. Check the status, then check the shape of the body before you use it. Turn what the service says into this program's own errors, with status and request id, without key or personal data.

### Step 4: Repeat with care
Repeat only what is safe to repeat, only on connection errors, 429 and 5xx, a bounded number of times, with growing waits and jitter; obey \`Retry-After\`.

### Step 5: Test without the service
Start a local HTTP server in the test and let it answer: success, error body, 429 then success, a hanging connection, broken JSON. No test calls the real service.

## Examples

### Example 1: A bounded call
\`\`\`ts
const TIMEOUT_MS = 10_000

export async function fetchRate(base: URL, key: string, currency: string): Promise<Rate> {
  const response = await fetch(new URL(\`rates/\${encodeURIComponent(currency)}\`, base), {
    headers: { authorization: \`Bearer \${key}\` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new RateServiceError(response.status, response.headers.get('x-request-id'))
  return rateSchema.parse(await response.json())
}
\`\`\`

### Example 2: The test server
\`\`\`ts
const server = createServer((request, response) => {
  seen.push(request.headers.authorization)
  response.writeHead(seen.length === 1 ? 429 : 200, { 'retry-after': '0' }).end('{"value":1.08}')
})
\`\`\`
Then assert the value, that there were two calls, and that both carried the key.

## ${vocabulary.headings.discoverySignals}
A quirk of the service that its documentation hides is worth ${signal('DISCOVERY_GLOBAL')}: the call, the condition, what really happens.

## Related Skills
- tdd.md
`
}
