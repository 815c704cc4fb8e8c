import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sh, write } from '../git/scratch.ts'

/** A repository of the tests, and what a person does in it, commit after commit. */
export interface Sample {
  readonly name: string
  readonly commits: number
  make(folder: string): void
}

function commits(folder: string, lines: readonly string[]): void {
  sh(folder, 'git init -q -b trunk')
  for (const [i, line] of lines.entries())
    sh(folder, `${line}\ngit add -A && git commit -q --allow-empty -m 'step ${i}: "quoted" $x'`)
}

const RENAMES = [
  'mkdir -p old/deep && for i in 1 2 3 4; do seq $i 40 > old/$i.txt; done; seq 9 60 > old/deep/x; echo a > a; echo b > b',
  'git mv old new',
  'echo more >> a',
  'mkdir -p old && echo fresh > old/fresh.txt',
  'git rm -q b',
  'git mv new/1.txt new/one.txt && echo 41 >> new/one.txt',
  'echo again > b',
  'git rm -q -r new/deep',
  'mkdir -p new/deep && echo other > new/deep/y',
  'git mv a z && cp z a',
]

const SHAPES = [
  'echo start > start',
  "head -c 5000 /dev/urandom > noise.bin; printf 'a\\0b' > nul.bin",
  'printf "#!/bin/sh\\n" > tool.sh && chmod +x tool.sh',
  'ln -s start link && ln -s /nowhere/at/all broken-link',
  'head -c 7000 /dev/urandom > noise.bin',
  'chmod -x tool.sh',
  'git rm -q nul.bin',
  'rm link && echo file > link',
  'rm start && mkdir start && echo now-a-folder > start/inside',
  'git rm -q -r start && echo a-file-again > start',
  'printf "no end of line" > end; : > empty',
  'printf "crlf\\r\\nlines\\r\\n" > dos.txt',
  'printf "*.txt -text\\n*.bin binary\\n" > .gitattributes; echo "*.log" > .gitignore; echo kept > kept.log; git add -f kept.log',
]

const NAMES = [
  'echo 1 > plain',
  `echo 2 > 'with space' && echo 3 > 'ünïcödé-日本語' && echo 4 > '🙂'`,
  `f="$(printf 'new\\nline')"; echo 5 > "$f"`,
  `echo 6 > '-rf' ; echo 7 > '--output=z'`,
  `f="$(printf 'tab\\there')"; echo 8 > "$f"; echo 9 > 'quote"and'"'"'s'`,
  `f="$(printf 'latin\\351')"; echo 10 > "$f"`,
  `mkdir -p 'dir with space/ünter' && echo 11 > 'dir with space/ünter/x'`,
  `f="$(printf 'new\\nline')"; echo changed > "$f"; git mv 'ünïcödé-日本語' 'einfach'`,
  `f="$(printf 'latin\\351')"; rm "$f"; rm -- '-rf'`,
  `echo 12 > '$(touch pwned)'; echo 13 > '*'; echo 14 > ':(glob)x'`,
]

export const SAMPLES: readonly Sample[] = [
  { name: 'renames and deletions', commits: 50, make: (folder) => commits(folder, RENAMES) },
  {
    name: 'binary files, modes, links, files that become folders',
    commits: 50,
    make: (folder) => commits(folder, SHAPES),
  },
  {
    name: 'names with spaces, newlines, dashes, quotes and other alphabets',
    commits: 50,
    make: (folder) => commits(folder, NAMES),
  },
  { name: 'merges and submodules', commits: 50, make: makeMerged },
  { name: 'attributes, large file pointers, names that are no text', commits: 50, make: makeAttributed },
  { name: 'the last two commits only', commits: 2, make: (folder) => commits(folder, RENAMES) },
]

/** Line ends that git would rewrite, filters that nobody has here, names of 240 bytes and names that are no UTF-8. */
function makeAttributed(folder: string): void {
  const long = 'n'.repeat(240)
  const pointer = 'version https://git-lfs.github.com/spec/v1\\noid sha256:0\\nsize 12\\n'
  const steps = [
    `printf 'a\\r\\nb\\r\\n' > lines && git add -A && git commit -qm 'line ends'`,
    `echo '* text=auto eol=lf' > .gitattributes && git add -A && git commit -qm attributes`,
    `printf 'a\\r\\nb\\r\\nc\\r\\n' > raw && echo 'raw -text' >> .gitattributes && git add -A && git commit -qm raw`,
    `echo '*.bin filter=lfs diff=lfs merge=lfs -text' >> .gitattributes && printf '${pointer}' > big.bin && git add -A && git commit -qm large`,
    `mkdir -p deep/${long} && echo long > deep/${long}/${long} && git add -A && git commit -qm long`,
    `printf 'x' > "$(printf 'f\\351.txt')" && git add -A && git commit -qm 'no text'`,
    `ln -s lines link && git add -A && git commit -qm link`,
    `rm link && mkdir link && echo x > link/inside && git add -A && git commit -qm 'link becomes folder'`,
    `rm -r link && echo file > link && git add -A && git commit -qm 'folder becomes file'`,
    `printf 'x\\0y' > big.bin && git add -A && git commit -qm 'pointer becomes content'`,
  ]
  sh(folder, `git init -q -b trunk && echo first > first && git add -A && git commit -qm first`)
  for (const step of steps) sh(folder, step)
}

/** Branches that were merged, one with both sides changed, a pointer to another repository that moves, and an empty commit. */
function makeMerged(folder: string): void {
  sh(folder, 'git init -q -b trunk && seq 1 50 > list && git add -A && git commit -qm first')
  for (const n of [1, 2, 3]) {
    sh(
      folder,
      `git checkout -q -b side-${n} && echo ${n} > side-${n} && sed -i '${n * 10}s/$/ side/' list && git add -A && git commit -qm side-${n} && echo more >> side-${n} && git commit -qam more-${n}`,
    )
    sh(
      folder,
      `git checkout -q trunk && sed -i '${n * 10 + 5}s/$/ trunk/' list && git commit -qam trunk-${n} && git merge -q --no-ff -m merge-${n} side-${n}`,
    )
  }
  const pointer = (object: string): string =>
    `git update-index --add --cacheinfo 160000,${object.repeat(40)},library && git commit -qm 'pointer ${object}'`
  const modules = '[submodule "library"]\n\tpath = library\n\turl = https://example.invalid/library.git\n'
  write(folder, { '.gitmodules': modules })
  sh(folder, `git add .gitmodules && ${pointer('1')}`)
  mkdirSync(join(folder, 'library'), { recursive: true })
  sh(
    folder,
    `${pointer('2')} && git commit -q --allow-empty -m nothing && echo last > last && git add last && git commit -qm last`,
  )
}
