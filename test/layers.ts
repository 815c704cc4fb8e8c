/** Which folder may import which: the one place that says so. `test/layers.test.ts` holds the code to it. */
export interface Layer {
  readonly folder: string
  readonly duty: string
  readonly mayImport: readonly string[]
}

const PURE = ['cases', 'canvas', 'signals', 'vocabulary', 'events', 'config']
const STAGE = [...PURE, 'personas', 'verification', 'platform']
const STAGES = ['planning', 'runs', 'delivery', 'integration', 'knowledge', 'team', 'health']
const BELOW_DIRECTOR = [...STAGE, 'store', 'agents', 'workspaces', ...STAGES]

export const LAYERS: readonly Layer[] = [
  { folder: 'cases', duty: 'the laws of cases; pure', mayImport: [] },
  { folder: 'canvas', duty: 'regions of a spec, coverage, drift; pure', mayImport: ['cases'] },
  { folder: 'signals', duty: "an agent's speech → signals and problems; pure, never throws", mayImport: [] },
  { folder: 'vocabulary', duty: 'the names: axiom, swarm; data', mayImport: ['cases', 'signals'] },
  {
    folder: 'events',
    duty: 'events derived from cases, and their folds; pure',
    mayImport: ['cases', 'signals'],
  },
  { folder: 'config', duty: 'schema, defaults, precedence, migration', mayImport: [] },
  { folder: 'platform', duty: 'the world, ignorant of AXIOM: git, processes, sandbox, files', mayImport: [] },
  { folder: 'store', duty: 'the store on JSONL', mayImport: ['cases', 'events', 'platform'] },
  {
    folder: 'personas',
    duty: 'identities, rules, skills, prompt assembly',
    mayImport: [...PURE, 'platform'],
  },
  {
    folder: 'verification',
    duty: 'runs checks on a checkout, keeps evidence',
    mayImport: ['config', 'platform'],
  },
  {
    folder: 'agents',
    duty: 'one agent process: drivers, stream, supervision',
    mayImport: ['signals', 'config', 'platform'],
  },
  { folder: 'sim', duty: 'the simulated agent: a program of its own', mayImport: ['signals'] },
  { folder: 'workspaces', duty: "a run's clone: set-up, rescue, removal", mayImport: ['config', 'platform'] },
  ...STAGES.map((folder) => ({ folder, duty: 'a stage; never imports another stage', mayImport: STAGE })),
  {
    folder: 'project',
    duty: 'a project without its loop: document, questions, interventions, delivery events',
    mayImport: [...PURE, 'personas', 'platform', 'store', 'delivery', 'health'],
  },
  {
    folder: 'director',
    duty: 'the one loop; the only caller of stages',
    mayImport: [...BELOW_DIRECTOR, 'project'],
  },
  {
    folder: 'server',
    duty: 'HTTP, event stream, MCP',
    mayImport: [...PURE, 'personas', 'health', 'project', 'store', 'platform'],
  },
  {
    folder: 'cli',
    duty: 'commands; the only folder that reads argv and env, prints, exits',
    mayImport: [...BELOW_DIRECTOR, 'sim', 'project', 'director', 'server'],
  },
]
