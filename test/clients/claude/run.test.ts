import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AgentHost } from '../../../src/agents/agent-run.ts'
import type { Driver } from '../../../src/agents/driver.ts'
import { isSealed } from '../../../src/verification/prove-completion.ts'
import { sh } from '../../git/scratch.ts'
import { openScene, type Scene } from '../../runs/scene.ts'
import type { Turn } from '../../scripted-api/script.ts'
import { type ScriptedApi, startScriptedApi } from '../../scripted-api/server.ts'
import { claude, makeClaude } from './use-claude.ts'

let api: ScriptedApi
let scene: Scene
beforeAll(async () => {
  api = await startScriptedApi()
})
afterEach(() => scene.close())
afterAll(() => api.close())

const write = (text: string): Turn => ({
  speech: 'I write the greeting and commit it.',
  uses: [
    {
      tool: 'shell',
      command: `echo '${text}' > greeting.txt && git add -A && git commit -qm "feat: greet #task-001 @echo-001"`,
    },
  ],
})
const done: Turn = { speech: 'It is done.\n\n<axiom>COMPLETE</axiom>' }
const ITERATIONS: readonly (readonly Turn[])[] = [
  [
    { speech: 'Half of it.\n<axiom>PROGRESS:50</axiom>', uses: [{ tool: 'shell', command: 'ls' }] },
    write('good day'),
    done,
  ],
  [write('hello'), done],
]

/** The real program; each of its processes hears the part of the script that is meant for its iteration. */
function scripted(host: AgentHost, heard: string[]): Driver {
  const driver = makeClaude(host, api)
  return {
    ...driver,
    start: (request) => {
      heard.push(...api.requests.map(({ body }) => JSON.stringify(body)))
      api.play({ turns: ITERATIONS[request.assignment.iteration - 1] ?? [] })
      return driver.start(request)
    },
  }
}

describe(`claude ${claude.version} with a task of AXIOM`, () => {
  it('takes it through two iterations, one of them with a red check, to a proven commit', async () => {
    const heard: string[] = []
    scene = await openScene({
      verification: ["grep -q hello greeting.txt || { printf 'missing-%s\\n' hello; exit 1; }"],
      makeDriver: (host) => scripted(host, heard),
    })
    const { end } = await scene.run()
    expect(end.kind).toBe('complete')
    if (end.kind !== 'complete') return
    const { gitDir } = scene.scratch.ground.integration
    expect(isSealed(end.proof.proof)).toBe(true)
    expect(sh(gitDir, `git show ${end.proof.proof.commit}:greeting.txt`)).toBe('hello')
    expect(sh(gitDir, `git log --format=%s ${end.proof.proof.commit}`).split('\n')).toHaveLength(3)
    expect((await scene.task()).metadata.execution).toMatchObject({
      iterations: 2,
      verificationPassed: true,
      finalCommit: end.proof.proof.commit,
      signals: ['PROGRESS:50', 'COMPLETE', 'COMPLETE'],
    })
    expect(scene.rows.map(({ progress }) => progress)).toContain(50)
    // The model itself was told the task in the first iteration and the red check in the second.
    expect(heard[0]).toContain('Add a greeting')
    expect(JSON.stringify(api.requests[0]?.body)).toContain('missing-hello')
    expect(JSON.parse(scene.read('metrics/agents/echo-001.json'))).toMatchObject({
      tasks: { completed: 1 },
      tokens: { input: 5_000, output: 250 },
    })
  })
})
