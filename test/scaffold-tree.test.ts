import { describe, it } from 'vitest'
import { planScaffold } from '../src/personas/scaffold.ts'
import { VOCABULARIES } from '../src/vocabulary/find-vocabulary.ts'
import { expectGolden } from './golden.ts'

describe('the agents’ and rules’ part of the folder', () => {
  for (const vocabulary of Object.values(VOCABULARIES)) {
    it(`is laid out in ${vocabulary.folder} as recorded`, () => {
      const { folders, write } = planScaffold(vocabulary, new Map())
      const lines = [...folders.map((folder) => `${folder}/`), ...write.map(({ path }) => path)].toSorted()
      expectGolden(`trees/${vocabulary.name}-agents-and-rules.txt`, `${lines.join('\n')}\n`)
    })
  }
})
