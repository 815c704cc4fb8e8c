/** The command line options; flags that only matter to a real model are accepted and ignored. */
export interface SimOptions {
  readonly streamsInput: boolean
  readonly asksPermission: boolean
  readonly permissionMode: string
  readonly sessionId: string | undefined
  readonly resume: string | undefined
  readonly playbook: string | undefined
  readonly seed: string | undefined
  readonly version: boolean
}

export function readOptions(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): SimOptions {
  return {
    streamsInput: optionOf(argv, '--input-format') === 'stream-json',
    asksPermission: optionOf(argv, '--permission-prompt-tool') === 'stdio',
    permissionMode: optionOf(argv, '--permission-mode') ?? 'default',
    sessionId: optionOf(argv, '--session-id'),
    resume: optionOf(argv, '--resume') ?? optionOf(argv, '-r'),
    playbook: optionOf(argv, '--playbook') ?? environment.AXIOM_SIM_PLAYBOOK,
    seed: optionOf(argv, '--seed') ?? environment.AXIOM_SIM_SEED,
    version: argv.includes('--version') || argv.includes('-v'),
  }
}

function optionOf(argv: readonly string[], flag: string): string | undefined {
  const place = argv.indexOf(flag)
  if (place >= 0) return argv[place + 1]
  return argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1)
}
