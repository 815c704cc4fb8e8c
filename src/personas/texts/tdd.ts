import type { Words } from '../words.ts'

export function writeTdd({ vocabulary, signal }: Words): string {
  return `# Test-Driven Development

Let a failing test decide what you write next.

## When to Use
- A new feature or behaviour with acceptance criteria
- Fixing a bug: the test that shows it comes first
- A refactor of code whose behaviour no test holds yet

## Instructions

### Step 1: List
Turn each criterion into one or more sentences of the form "given …, when …, then …". That list is the plan; add to it when you notice a case, cross off what passes.

### Step 2: Red
Write the test for the simplest open sentence, beside the tests that are there and in their manner. Run it alone. It must fail, and for the reason you expect: a typo in an import is not a red test.

### Step 3: Green
Write the least code that passes it. Run that file, then the neighbours.

### Step 4: Tidy
With everything green, remove what is double or badly named, in code and test alike. Run again after each step.

### Step 5: Again
Next sentence. Commit whenever all is green.

## Examples

### Example 1: A bug in paging
Criterion: "an empty list has one page".

\`\`\`ts
it('gives an empty list one page', () => {
  expect(pageCount({ items: 0, perPage: 20 })).toBe(1)
})
\`\`\`

Run it: \`expected 0 to be 1\`, the reason we wanted. The fix is one expression:

\`\`\`ts
export function pageCount({ items, perPage }: Paging): number {
  return Math.max(1, Math.ceil(items / perPage))
}
\`\`\`

### Example 2: A test that proves nothing
\`expect(parse(input)).toBeDefined()\` passes for a wrong result as well. Assert the value, and see the test fail once with the line it covers taken out.

## ${vocabulary.headings.gate}
Before ${signal('COMPLETE')}:
1. Every sentence of the list is a passing test, and you saw each of them red.
2. All checks pass on the committed state.
3. Taking out any hunk of your change makes some test fail.

## Related Skills
- api-integration.md
`
}
