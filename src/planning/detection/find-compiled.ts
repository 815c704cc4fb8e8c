import { type DetectedCommand, present, type UnitFinder } from './detected.ts'
import { globPattern } from './package-manifest.ts'
import { hasFile, hasMatch, type ProjectView } from './project-view.ts'

export const findGo: UnitFinder = (view) => {
  if (!hasFile(view, 'go.mod', 'go.work')) return undefined
  const members = workModules(view.read('go.work'))
  const where = members.length > 0 ? members.map((folder) => `./${folder}/...`).join(' ') : './...'
  const manifest = members.length > 0 ? 'go.work' : 'go.mod'
  const linter = view.files.find((path) => /^\.golangci\.(ya?ml|toml|json)$/.test(path))
  const requires = [view.read('go.mod'), ...members.map((folder) => view.read(`${folder}/go.mod`))]
  return {
    language: 'Go',
    packageManager: 'go',
    frameworks: ['gin-gonic/gin', 'labstack/echo', 'gofiber/fiber', 'spf13/cobra'].filter((name) =>
      requires.some((text) => text.includes(name)),
    ),
    members,
    ...(requires.some((text) => /^require\b/m.test(text)) ? { setup: 'go mod download' } : {}),
    dependencies: [],
    commands: present<DetectedCommand>(
      hasMatch(view, /_test\.go$/) && { kind: 'test', command: `go test ${where}`, because: manifest },
      linter === undefined
        ? { kind: 'lint', command: `go vet ${where}`, because: manifest }
        : { kind: 'lint', command: `golangci-lint run ${where}`, because: linter },
      { kind: 'build', command: `go build ${where}`, because: manifest },
    ),
    notes: present(!hasMatch(view, /_test\.go$/) && 'no _test.go file'),
  }
}

function workModules(text: string): string[] {
  const block = [...text.matchAll(/^use\s*\(([^)]*)\)|^use\s+(\S+)/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  )
  return block
    .flatMap((lines) => lines.split(/\s+/))
    .map((folder) => folder.replace(/^\.\/?/, '').replace(/\/$/, ''))
    .filter((folder) => folder !== '')
}

export const findRust: UnitFinder = (view) => {
  if (!hasFile(view, 'Cargo.toml')) return undefined
  const manifest = view.read('Cargo.toml')
  const workspace = /^\[workspace\]/m.test(manifest)
  const all = workspace ? ' --workspace' : ''
  const list = /^members\s*=\s*\[([^\]]*)\]/m.exec(manifest)?.[1] ?? ''
  const patterns = [...list.matchAll(/"([^"]+)"/g)].map((match) => globPattern(match[1] ?? ''))
  const members = view.files
    .filter((path) => path.endsWith('/Cargo.toml'))
    .map((path) => path.slice(0, -'/Cargo.toml'.length))
    .filter((folder) => patterns.some((pattern) => pattern.test(folder)))
  const format = hasFile(view, 'rustfmt.toml', '.rustfmt.toml') ? 'cargo fmt --check && ' : ''
  return {
    language: 'Rust',
    packageManager: 'cargo',
    frameworks: ['axum', 'actix-web', 'tokio', 'clap', 'bevy'].filter((name) =>
      ['Cargo.toml', ...members.map((folder) => `${folder}/Cargo.toml`)].some((path) =>
        new RegExp(`^${name}\\b`, 'm').test(view.read(path)),
      ),
    ),
    members,
    dependencies: [],
    commands: [
      { kind: 'test', command: `cargo test${all}`, because: 'Cargo.toml' },
      {
        kind: 'lint',
        command: `${format}cargo clippy${all} --all-targets -- -D warnings`,
        because: 'Cargo.toml',
      },
      { kind: 'build', command: `cargo build${all}`, because: 'Cargo.toml' },
    ],
    notes: [],
  }
}

export const findDotnet: UnitFinder = (view) => {
  const solution = view.files.find((path) => /^[^/]+\.slnx?$/.test(path))
  const projects = view.files.filter((path) => /\.(cs|fs|vb)proj$/.test(path))
  const own = solution ?? projects.find((path) => !path.includes('/'))
  if (own === undefined) return undefined
  const tests = projects.find((path) => /Microsoft\.NET\.Test\.Sdk|MSTest\.Sdk|TUnit/.test(view.read(path)))
  const web = projects.some((path) => /Microsoft\.NET\.Sdk\.Web/.test(view.read(path)))
  return {
    language: projects.some((path) => path.endsWith('.fsproj')) ? 'F#' : 'C#',
    packageManager: 'dotnet',
    frameworks: web ? ['ASP.NET Core'] : [],
    members: solution === undefined ? [] : projects.map(folderOf),
    setup: 'dotnet restore',
    dependencies: [],
    commands: present<DetectedCommand>(
      tests !== undefined && { kind: 'test', command: 'dotnet test --no-restore', because: tests },
      hasFile(view, '.editorconfig') && {
        kind: 'lint',
        command: 'dotnet format --verify-no-changes --no-restore',
        because: '.editorconfig',
      },
      { kind: 'build', command: 'dotnet build --no-restore', because: own },
    ),
    notes: [],
  }
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'
}

export const findJava: UnitFinder = (view) => (hasFile(view, 'pom.xml') ? maven(view) : gradle(view))

function maven(view: ProjectView): ReturnType<UnitFinder> {
  const pom = view.read('pom.xml')
  const program = `${hasFile(view, 'mvnw') ? './mvnw' : 'mvn'} --batch-mode`
  const linter = ['spotless', 'checkstyle', 'pmd'].find(
    (name) => pom.includes(`${name}-maven-plugin`) || pom.includes(`maven-${name}-plugin`),
  )
  return {
    language: jvmLanguage(view),
    packageManager: 'maven',
    frameworks: present(
      pom.includes('spring-boot') && 'Spring Boot',
      pom.includes('quarkus') && 'Quarkus',
      /junit/i.test(pom) && 'JUnit',
    ),
    members: [...pom.matchAll(/<module>\s*([^<\s]+)\s*<\/module>/g)].map((match) => match[1] ?? ''),
    dependencies: [],
    commands: present<DetectedCommand>(
      hasMatch(view, /(^|\/)src\/test\//) && {
        kind: 'test',
        command: `${program} test`,
        because: 'pom.xml and src/test',
      },
      linter !== undefined && {
        kind: 'lint',
        command: `${program} ${linter}:check`,
        because: `plugin ${linter} in pom.xml`,
      },
      { kind: 'build', command: `${program} package -DskipTests`, because: 'pom.xml' },
    ),
    notes: [],
  }
}

function gradle(view: ProjectView): ReturnType<UnitFinder> {
  const script = ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle'].find((name) =>
    hasFile(view, name),
  )
  if (script === undefined) return undefined
  const text = view.files
    .filter((path) => /(^|\/)build\.gradle(\.kts)?$/.test(path))
    .map((path) => view.read(path))
    .join('\n')
  const settings = view.read('settings.gradle.kts') + view.read('settings.gradle')
  const program = hasFile(view, 'gradlew') ? './gradlew' : 'gradle'
  const linter = [
    ['spotless', 'spotlessCheck'],
    ['ktlint', 'ktlintCheck'],
    ['detekt', 'detekt'],
    ['checkstyle', 'checkstyleMain'],
  ].find(([plugin]) => text.includes(plugin ?? ''))
  return {
    language: jvmLanguage(view),
    packageManager: 'gradle',
    frameworks: present(
      text.includes('springframework.boot') && 'Spring Boot',
      text.includes('com.android') && 'Android',
      /junit/i.test(text) && 'JUnit',
    ),
    members: [...settings.matchAll(/['"]:?([\w:-]+)['"]/g)]
      .map((match) => (match[1] ?? '').replaceAll(':', '/'))
      .filter((folder) => hasMatch(view, new RegExp(`^${folder}/`))),
    dependencies: [],
    commands: present<DetectedCommand>(
      hasMatch(view, /(^|\/)src\/test\//) && {
        kind: 'test',
        command: `${program} test`,
        because: `${script} and src/test`,
      },
      linter !== undefined && {
        kind: 'lint',
        command: `${program} ${linter[1]}`,
        because: `plugin ${linter[0]} in ${script}`,
      },
      { kind: 'build', command: `${program} assemble`, because: script },
    ),
    notes: [],
  }
}

function jvmLanguage(view: ProjectView): string {
  if (hasMatch(view, /\.kt$/)) return 'Kotlin'
  return hasMatch(view, /\.scala$/) ? 'Scala' : 'Java'
}
