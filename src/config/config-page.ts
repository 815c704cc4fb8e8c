import { describeAllowed, listOptions } from './options.ts'

/** The reference of all options, as `docs/configuration.md` shows it. */
export function configPage(): string {
  const rows = listOptions().map(({ key, variable, node }) => {
    const standard = node.default === undefined ? '–' : `\`${JSON.stringify(node.default)}\``
    const cells = [`\`${key}\``, standard, describeAllowed(node), node.description ?? '', `\`${variable}\``]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return [INTRODUCTION, ...rows, ''].join('\n')
}

const INTRODUCTION = `# Configuration

\`config.json\` in the project's folder (\`.axiom/\`, or \`.swarm/\` with that vocabulary). \`axiom config schema\` prints its JSON Schema, which is also in \`schema/config.schema.json\`.

- A flag of a command wins over a variable, a variable over the file, the file over the default. \`axiom config get\` says for each value where it comes from.
- An unknown key is ignored with a warning and stays in the file. A wrong value is ignored with a warning that says what is allowed; the default holds.
- Each configuration that could be read is kept as \`config.json.backup\`. A file that is no JSON is set aside and the backup takes its place (\`CONFIG_BACKUP_RESTORED\`).
- \`axiom config set KEY VALUE\` checks the value first. Lists are typed as JSON or, for plain texts, with commas.

| option | default | allowed | meaning | variable |
|---|---|---|---|---|`
