import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findProject } from './project.ts'

it('finds a project behind a link by its real path', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'axiom-project-')))
  onTestFinished(() => rmSync(top, { recursive: true }))
  mkdirSync(join(top, 'real/.axiom'), { recursive: true })
  mkdirSync(join(top, 'real/src'))
  symlinkSync(join(top, 'real/src'), join(top, 'link'))
  expect(findProject(join(top, 'link'))).toMatchObject({
    root: join(top, 'real'),
    folder: join(top, 'real/.axiom'),
  })
})
