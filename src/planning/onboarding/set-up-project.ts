import { writeConfigText } from '../../config/read-config-text.ts'
import { planScaffold } from '../../personas/scaffold.ts'
import type { Vocabulary } from '../../vocabulary/vocabulary.ts'
import { projectFiles, projectFolders, workspacesIgnore } from './project-files.ts'
import { createProject } from './write-project.ts'

/** Writes a new project's whole folder with this configuration, or nothing at all. */
export async function setUpProject(
  root: string,
  vocabulary: Vocabulary,
  config: Readonly<Record<string, unknown>>,
): Promise<void> {
  const scaffold = planScaffold(vocabulary, new Map())
  const text = writeConfigText(config)
  const { folder } = vocabulary
  const content = {
    folders: [...projectFolders(vocabulary), ...scaffold.folders],
    files: [
      ...projectFiles(vocabulary),
      ...scaffold.write,
      { path: `${folder}/config.json`, text },
      { path: `${folder}/config.json.backup`, text },
    ],
  }
  await createProject(root, folder, content, workspacesIgnore(vocabulary))
}
