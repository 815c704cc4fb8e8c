import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Proof } from '../../../src/verification/prove-completion.ts'
import { sh } from '../../git/scratch.ts'
import { integrationOf, landedOn, openScene, TASK, type Theatre, until } from '../../runs/scene.ts'
import type { Turn } from '../../scripted-api/script.ts'
import { type ScriptedApi, startScriptedApi } from '../../scripted-api/server.ts'
import { CLAUDE_MODEL, claude } from './use-claude.ts'

let api: ScriptedApi
let scene: Theatre
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
  [write('hello again'), done],
]

describe(`claude ${claude.version} with a task of AXIOM`, () => {
  it('takes it through two iterations, one of them with a red check, to a proven commit that lands', async () => {
    const sim = { driver: 'sim' }
    scene = await openScene({
      files: { 'greeting.txt': 'hello\n' },
      verification: ["grep -q hello greeting.txt || { printf 'missing-%s\\n' hello; exit 1; }"],
      environment: {
        PATH: `${dirname(claude.program)}:${process.env.PATH}`,
        ANTHROPIC_API_KEY: 'a-key-of-the-scripted-service',
        ANTHROPIC_BASE_URL: api.url,
      },
      agents: {
        driver: 'claude',
        model: CLAUDE_MODEL,
        roles: { critic: sim, auditor: sim },
      },
    })
    const heard: string[] = []
    const [first = [], second = []] = ITERATIONS
    api.play({ turns: first })
    await scene.run(async () => {
      // It is shown before its process is started, and hears the part of the script that is meant for its iteration.
      await until(() => scene.rows.some(({ agent, iteration }) => agent === 'echo-001' && iteration === 2))
      heard.push(...api.requests.map(({ body }) => JSON.stringify(body)))
      api.play({ turns: second })
    })
    const task = await scene.task(TASK)
    expect(task).toMatchObject({
      status: 'done',
      metadata: {
        execution: {
          iterations: 2,
          verificationPassed: true,
          signals: ['PROGRESS:50', 'COMPLETE', 'COMPLETE'],
        },
      },
    })
    const { evidence } = task.metadata.run as { evidence: string }
    const kept = Buffer.from((await (await scene.store()).getBlob(evidence)) ?? []).toString()
    const { proof } = JSON.parse(kept) as { proof: Proof }
    const gitDir = integrationOf(scene)
    expect(sh(gitDir, `git show ${proof.commit}:greeting.txt`)).toBe('hello again')
    expect(sh(gitDir, `git log --format=%s ${proof.commit}`).split('\n')).toHaveLength(3)
    expect(landedOn(scene)).toEqual([TASK])
    expect(scene.show('greeting.txt')).toBe('hello again')
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
