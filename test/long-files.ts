/** Files of more than 400 lines, each with the reason why it is not parted. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'src/signals/speech-scanner.ts':
    'one pass over the characters: its states share one set of local variables',
  'src/store/jsonl/file-store.ts': 'one class: the order of lock, disk and memory is its invariant',
  'test/fuzz/oracle.ts': 'the parser once more, in one piece, so that it can be read beside the rules',
  'test/process/sim-agent.test.ts': 'one table of playbooks for one program',
}
