/** One way to break the product, with the test that has to notice it. */
export interface Fault {
  readonly name: string
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** The fastest test file that turns red. */
  readonly test: string
  /** Of that file only the tests whose names match, where the others take long. */
  readonly only?: string
}

const WALLS = 'test/sandbox/wall-table.test.ts'

const SECRET_FORMS = [
  'sk-',
  'gh',
  'github_pat_',
  'glpat-',
  'npm_',
  'xox',
  'AKIA',
  'AIza',
  'eyJ',
  'earer ',
  '://',
  'PRIVATE KEY',
]

/**
 * Kept as text to find and to replace, not as patches: it survives that the lines around it move, and a unit test
 * says at once when the text itself is gone.
 */
export const FAULTS: readonly Fault[] = [
  {
    name: 'work under a fence that is no longer current counts',
    file: 'src/cases/decide/find.ts',
    find: 'if (fence === undefined) return undefined',
    replace: 'return undefined',
    test: 'src/cases/tables.test.ts',
  },
  {
    name: 'a lease is still held at the moment at which it ends',
    file: 'src/cases/decide/claims.ts',
    find: 'return expiryOf(view, subject, stage, lease) <= now',
    replace: 'return expiryOf(view, subject, stage, lease) < now',
    test: 'src/cases/tables.test.ts',
  },
  {
    name: 'a claim whose checks are red is proven',
    file: 'src/verification/prove-completion.ts',
    find: "if (verification.kind === 'failed') return",
    replace: "if (verification.kind === 'failed' && checks.length === 0) return",
    test: 'test/git/proof.test.ts',
    only: 'fails when the work rests on a file that only the workspace has',
  },
  {
    name: 'a claim with nothing committed comes to a proof',
    file: 'src/verification/prove-completion.ts',
    find: "if (faults.length > 0 || claim.head.kind === 'refused')",
    replace: "if (claim.head.kind === 'refused')",
    test: 'test/git/proof.test.ts',
    only: 'sends a claim back with its reason',
  },
  {
    name: 'the target is moved whatever it was moved to meanwhile',
    file: 'src/platform/git/repository-operations.ts',
    find: 'from ?? ABSENT',
    replace: "from === undefined ? ABSENT : ''",
    test: 'test/integration/landing.test.ts',
    only: 'is built anew when somebody moves the target during the checks',
  },
  {
    name: 'the server answers without a token',
    file: 'src/server/guard/judge-request.ts',
    find: '(needsToken ? judgeToken(asked, rules) : undefined)',
    replace: '(needsToken && asked.method === "TOKEN" ? judgeToken(asked, rules) : undefined)',
    test: 'test/server/security-matrix.test.ts',
    only: 'answers nothing without a token',
  },
  {
    name: 'an agent whose budget is spent in mid-run works on',
    file: 'src/director/director.ts',
    find: "if (control && standingOf(snapshot, key).kind === 'hard') control.finish()",
    replace: 'if (control) standingOf(snapshot, key)',
    test: 'test/director-budget.test.ts',
  },
  ...SECRET_FORMS.map((anchor) => ({
    name: `secrets of the form ${anchor.trim()} are shown`,
    file: 'src/agents/redaction.ts',
    find: `  form('${anchor}', `,
    replace: `  form('no such text, ${anchor}', `,
    test: 'src/agents/redaction.test.ts',
    only: 'takes out',
  })),
  {
    name: 'a link planted at a mount point leads the mount elsewhere',
    file: 'src/platform/sandbox/unshare-script.ts',
    find: `'at() { [ "$(realpath -m -- "$R$1")" = "$R$1" ] || refuse "$1 leads elsewhere"; }'`,
    replace: "'at() { :; }'",
    test: 'test/sandbox/planted-link.test.ts',
    only: 'at level unshare at a mount point',
  },
  {
    name: 'the root is bound writable by unshare',
    file: 'src/platform/sandbox/unshare-script.ts',
    find: '    ...closeMounts(mounts),\n',
    replace: '    ...closeMounts(mounts).slice(0, 0),\n',
    test: WALLS,
    only: 'as root at level unshare .*: plain',
  },
  {
    name: 'the root is bound writable by bubblewrap',
    file: 'src/platform/sandbox/bwrap-arguments.ts',
    find: "    '--ro-bind',\n    '/',\n    '/',\n",
    replace: "    '--bind',\n    '/',\n    '/',\n",
    test: WALLS,
    only: 'as root at level bwrap .*: plain',
  },
]
