import type { PersonaFiles, PromptInput } from '../src/personas/prompt-input.ts'
import { agentFolder, agentOfRole, type Role } from '../src/personas/roles.ts'
import { planScaffold } from '../src/personas/scaffold.ts'
import { AXIOM } from '../src/vocabulary/axiom.ts'
import type { Vocabulary } from '../src/vocabulary/vocabulary.ts'

/** The files of a folder that has just been set up, as an agent of this role finds them. */
export function freshFiles(vocabulary: Vocabulary, role: Role): PersonaFiles {
  const written = new Map(planScaffold(vocabulary, new Map()).write.map(({ path, text }) => [path, text]))
  const folder = `${vocabulary.folder}/agents/${agentFolder(vocabulary, agentOfRole(role))}`
  const under = (prefix: string) =>
    [...written].flatMap(([path, text]) =>
      path.startsWith(prefix) && path.endsWith('.md') ? [[path.slice(prefix.length), text] as const] : [],
    )
  return {
    shared: new Map(under(`${vocabulary.folder}/rules/`)),
    rules: written.get(`${folder}/rules.md`) ?? '',
    prompt: written.get(`${folder}/prompt.md`) ?? '',
    skills: under(`${folder}/skills/`).map(([file, text]) => ({ file, text })),
  }
}

const NEED = {
  id: 'dir-001',
  content:
    'When I reserve a tool at the neighbourhood toolshed, I want to be sure that it is there on the day, so that I do not drive over for nothing.',
}

const OPERATION = {
  id: 'op-003',
  content:
    'A member can reserve a tool for a stretch of days and is told at once, and truthfully, whether it is theirs.',
}

const CRITERIA = [
  'POST /reservations answers 409 with {"error":"overlap","conflictsWith":"<reservation id>"} when the days wanted touch a reservation of the same tool that is not cancelled.',
  'A reservation may begin on the day another one ends: `to` is the day of return and is free again.',
  'Of 20 requests for the same tool and days sent at once, exactly one is answered 201 and nineteen 409.',
  'A cancelled reservation holds nothing.',
]

const CHECKS = [
  { name: 'test', command: 'npm test', required: true },
  { name: 'types', command: 'npm run typecheck', required: true },
  { name: 'lint', command: 'npm run lint', required: false },
]

const CONTENT = `Refuse a reservation that overlaps another one of the same tool.

Today \`createReservation\` in src/reservations/store.ts writes whatever it is given. The rule belongs there, not in the route: the import job calls it too.`

const TASK = {
  id: 'task-042',
  content: CONTENT,
  author: 'axel-002',
  criteria: CRITERIA,
  operation: OPERATION,
  need: NEED,
  spec: {
    origin: 'specs/dir-001.md',
    text: 'Two members never hold the same tool on the same day. Whoever comes second is told by whom the tool is taken and until when.',
  },
  files: ['src/reservations/store.ts', 'src/reservations/routes.ts', 'test/reservations.test.ts'],
  dependencies: [
    {
      id: 'task-038',
      content: 'Store reservations with tool, member, from, to and status',
      landed: { commit: '9c1e07a', files: ['src/reservations/store.ts', 'migrations/004-reservations.sql'] },
    },
  ],
  checks: CHECKS,
}

const DISCOVERIES: PromptInput['discoveries'] = [
  {
    id: 'disc-011',
    work: 'task-031',
    agent: 'echo-029',
    category: 'testing',
    impact: 'high',
    validated: true,
    content:
      'Tests must open their database with openTestDatabase() from test/database.ts; the path in .env.test is shared by all vitest workers and makes runs flaky.',
  },
  {
    id: 'disc-017',
    work: 'task-038',
    agent: 'echo-041',
    category: 'patterns',
    impact: 'medium',
    validated: true,
    content:
      'Dates are stored as ISO days (2026-05-04) and compared as strings everywhere in src/reservations; new Date() there has caused time zone bugs.',
  },
  {
    id: 'disc-019',
    work: 'task-039',
    agent: 'echo-044',
    category: 'architecture',
    impact: 'low',
    validated: false,
    content:
      'Routes translate StoreError.code into HTTP status in src/http/errors.ts; a new code needs an entry there.',
  },
]

const FINDING = `src/reservations/store.ts:58: the overlap is looked up before the transaction begins, so two requests can both see a free tool and both insert. Reproduced with 20 parallel calls: 3 answered 201.
test/reservations.test.ts:112: the test for C3 awaits each request before it sends the next; it passes without the fix.

Required fixes:
- do the lookup and the insert in one \`db.transaction(…).immediate()\`
- send the 20 requests of the C3 test with Promise.all

Priority: HIGH`

const EXPERTS = [
  {
    name: 'sqlite-concurrency',
    knows: 'SQLite locking and better-sqlite3 transactions in this service.',
    askWhen: 'a criterion speaks of requests at the same time, or a test is flaky under load.',
  },
]

const WORKSPACE = [
  'Branch `agent/echo-047/task-042`, cut from `main` at 51d8f20',
  'Commit as `<type>: <description> #task-042 @echo-047`',
]
const REVIEWED = ['The change is `git diff 51d8f20..b7730aa`; b7730aa is checked out']

/** A second iteration's view of one piece of work, for each role that may meet it. */
export const TOOLSHED: Readonly<Record<Role, Omit<PromptInput, 'vocabulary' | 'role' | 'files'>>> = {
  developer: {
    agent: 'echo-047',
    assignment: { ...TASK, place: WORKSPACE, experts: EXPERTS },
    discoveries: DISCOVERIES,
    iteration: {
      number: 2,
      feedback: [{ kind: 'finding', title: 'Review, round 1: failed', origin: 'critic-003', text: FINDING }],
    },
  },
  critic: {
    agent: 'critic-004',
    assignment: {
      ...TASK,
      order: 'This is the second round of review.',
      place: REVIEWED,
      material: [
        { title: 'What round 1 found', origin: 'critic-003', text: FINDING },
        {
          title: 'What the author says',
          origin: 'echo-047',
          text: 'Lookup and insert now share one immediate transaction; the C3 test sends its 20 requests with Promise.all and failed before the change (3 × 201).',
        },
        {
          title: 'The checks on a fresh checkout',
          origin: 'proof of b7730aa',
          text: 'test: exit 0, 148 passed (was 143)\ntypes: exit 0\nlint: exit 0',
        },
      ],
    },
    discoveries: DISCOVERIES,
    iteration: { number: 1 },
  },
  auditor: {
    agent: 'auditor-002',
    assignment: {
      ...TASK,
      place: REVIEWED,
      material: [
        {
          title: 'What the critic said',
          origin: 'critic-004, round 2: passed',
          text: 'Lookup and insert are one immediate transaction now, and the parallel test fails without it.',
        },
      ],
    },
    discoveries: DISCOVERIES,
    iteration: { number: 1 },
  },
  resolver: {
    agent: 'rex-005',
    assignment: {
      ...TASK,
      order:
        'The change of task-042 does not merge with what has landed since; this is your first try of three.',
      place: [
        'The merge is under way: *ours* is `main` at e4410c9, *theirs* is b7730aa (task-042), the common ancestor is 51d8f20',
        'Unmerged: `src/reservations/store.ts` (both changed)',
      ],
      material: [
        {
          title: 'What landed on the target meanwhile',
          origin: 'task-044, landed as e4410c9',
          text: 'Limit a member to three open reservations.\nC1. createReservation throws StoreError("limit") when the member has three that are not cancelled.\nC2. The limit is checked before anything is written.',
        },
      ],
    },
    discoveries: DISCOVERIES,
    iteration: { number: 1 },
  },
  planner: {
    agent: 'axel-002',
    assignment: {
      id: 'dir-001',
      order: 'Phase DECOMPOSE. The proposal below was approved as it stands.',
      need: NEED,
      spec: {
        origin: 'specs/dir-001.md',
        text: '# Reservations\n\nTwo members never hold the same tool on the same day. Whoever comes second is told by whom the tool is taken and until when.\n\nA member sees their reservations and can cancel one until the day it begins.',
      },
      material: [
        {
          title: 'The approved proposal',
          origin: 'axel-002, phase PROPOSE',
          text: 'Reservations become a table of their own (migrations/004) with a small store module; HTTP routes stay thin.\nDecision: days, not hours. Reason: the shed opens in the morning; hours would need opening times. Rejected: time ranges.',
        },
      ],
    },
    discoveries: DISCOVERIES.slice(0, 2),
    iteration: {
      number: 1,
      answers: [
        {
          question: 'Can a member hold several tools at once?',
          answer: 'Yes, up to three.',
          by: 'the person',
        },
        { question: 'Should people be told by mail?', answer: 'skip', by: 'the person' },
      ],
    },
  },
  analyst: {
    agent: 'axel-003',
    assignment: {
      id: 'task-042',
      content: 'Reservations must not clash',
      author: 'a person',
      operation: OPERATION,
      need: NEED,
      spec: TASK.spec,
      place: ['The repository is checked out at `main`, 51d8f20; look at it, change nothing'],
    },
    discoveries: DISCOVERIES.slice(1, 2),
    iteration: { number: 1 },
  },
  remediator: {
    agent: 'remediator-002',
    assignment: {
      id: 'task-042',
      order: 'New work is stopped. This is attempt 2 of 10.',
      place: ['Branch `agent/remediator-002/task-042`, cut from `main` at 51d8f20'],
      checks: CHECKS,
      material: [
        {
          title: 'The report that stopped the work',
          origin: 'echo-047, INFRA_BLOCKED',
          text: 'Issue: better-sqlite3 cannot be loaded\nCommand: npm test\nOutput: Error: The module was compiled against a different Node.js version using NODE_MODULE_VERSION 115. This version requires 127.\nEnvironment: the default one, Node 22.11',
        },
        {
          title: 'What attempt 1 did',
          origin: 'remediator-001',
          text: 'Ran npm rebuild in its checkout; passed there, failed in the health audit: node_modules is not committed and set-up installs a prebuilt binary for Node 20.',
        },
      ],
    },
    discoveries: [],
    iteration: {
      number: 1,
      messages: [
        {
          by: 'the person',
          text: 'We moved to Node 22 last week. Staying on 22 is fine, going back is not.',
        },
      ],
    },
  },
  'health-auditor': {
    agent: 'max-009',
    assignment: {
      id: 'task-042',
      place: ['A fresh checkout of c02fa61 with the set-up already run'],
      checks: [
        ...CHECKS.slice(0, 2).map((check) => ({ ...check, environment: 'Node 22' })),
        {
          name: 'test',
          command: 'npm test',
          required: true,
          environment: 'Node 22 with TZ=Pacific/Auckland',
        },
      ],
      material: [
        {
          title: 'What the remediator says was fixed',
          origin: 'remediator-002, REMEDIATION_COMPLETE',
          text: 'better-sqlite3 raised from 9.4.0 to 11.8.1, whose prebuilt binaries know Node 22; lock file renewed.',
        },
      ],
    },
    discoveries: [],
    iteration: { number: 1 },
  },
  expert: {
    agent: 'expert-001',
    assignment: {
      id: 'request-007',
      order: 'You are asked as the expert `sqlite-concurrency`. The request is of the kind: validation.',
      place: ['The repository is checked out at b7730aa; look at it, change nothing'],
      material: [
        {
          title: 'What you know and when you are asked',
          origin: '.axiom/agents/experts/sqlite-concurrency.md',
          text: 'SQLite locking, WAL, better-sqlite3 transactions in this service. Ask when: a criterion speaks of requests at the same time; a test is flaky under load.',
        },
        {
          title: 'The request',
          origin: 'echo-047 for task-042',
          text: 'C3 wants exactly one winner out of 20 parallel requests. better-sqlite3 is synchronous, so within one process nothing can run between lookup and insert anyway. Is the immediate transaction needed, or does it only hide that the service will run as two processes behind the proxy (see deploy/compose.yaml)?',
        },
      ],
    },
    discoveries: DISCOVERIES.slice(0, 1),
    iteration: { number: 1 },
  },
  curator: {
    agent: 'cleo-006',
    assignment: {
      id: 'task-042',
      place: ['The repository is checked out at `main`, 7f0d2b3, where task-042 has landed'],
      material: [
        {
          title: 'New reports',
          origin: 'echo-047, critic-004 in task-042',
          text: '1. [echo-047, global] db.transaction(fn)() is DEFERRED in better-sqlite3; two processes can both read before either writes. Use .immediate() when a read decides a write.\n2. [echo-047, local] tests need openTestDatabase()\n3. [critic-004, global] StoreError codes are mapped in src/http/respond.ts\n4. [echo-047, local] the build felt slow today',
        },
      ],
    },
    discoveries: DISCOVERIES,
    iteration: { number: 1 },
  },
  onboarding: {
    agent: 'ava-001',
    assignment: {
      id: 'first start',
      order: 'There is no configuration yet.',
      place: ['The repository is at `main`, 51d8f20, work tree clean'],
      material: [
        {
          title: 'What was detected and run',
          origin: 'detection',
          text: 'TypeScript, npm (package-lock.json), Node 22\nnpm test: exit 0 in 14 s, 143 tests\nnpm run typecheck: exit 0 in 6 s\nnpm run lint: exit 1 in 3 s (2 problems in src/legacy/import.ts)\nnpm run build: exit 0 in 9 s\n.env.test is read by test/database.ts; .env.test is ignored by git\ndeploy/compose.yaml names port 8080',
        },
      ],
    },
    discoveries: [],
    iteration: {
      number: 1,
      messages: [{ by: 'the person', text: 'Hi. The lint errors are old, we live with them for now.' }],
    },
  },
  lead: {
    agent: 'dex-003',
    assignment: {
      id: 'session-014',
      order: 'A new session begins.',
      place: [
        'Seats: 0 Lyra, 1 Kael, 2 free, 3 free, 4 you, 5 free, 6 Iris, 7 free, 8 free',
        'Last known: Lyra sleeping, Kael sleeping, Iris unknown',
        'Work: 3 ready, 2 running (task-042 in review), 1 question waits for the person (pend-004)',
      ],
    },
    discoveries: [],
    iteration: {
      number: 1,
      messages: [
        { by: 'the person', text: 'Good morning. Who is here, and how is the reservation work going?' },
      ],
    },
  },
}

export function toolshedInput(role: Role, vocabulary: Vocabulary = AXIOM): PromptInput {
  return { ...TOOLSHED[role], vocabulary, role, files: freshFiles(vocabulary, role) }
}
