// The order of test files: suites as in test/suites.json, long ones first, so that none is left alone at the
// end.
import { BaseSequencer } from 'vitest/node'
import { readSuites } from './suites.mjs'

export default class LongFirst extends BaseSequencer {
  async sort(files) {
    const order = Object.keys(readSuites())
    const place = ({ project }) => order.indexOf(project.name.replace(/:deep$/, ''))
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}
