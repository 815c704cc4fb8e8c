/** Small repositories of many stacks and layouts: name → path → text. */
export type Fixture = Readonly<Record<string, string>>

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const nodeTest = `import assert from 'node:assert'\nimport test from 'node:test'\ntest('adds', () => assert.equal(1 + 1, 2))\n`
const pyTest = `import unittest\n\n\nclass Adds(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(1 + 1, 2)\n`
const rustLib = `pub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 1), 2);\n    }\n}\n`
const crate = (name: string): string => `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n`
const workflow = { test: 'node --test', lint: 'node lint.js', build: 'node build.js' }
const nodeParts = { 'a.test.mjs': nodeTest, 'lint.js': '', 'build.js': '' }
const pom = (extra: string): string =>
  `<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>example</groupId>\n  <artifactId>sample</artifactId>\n  <version>1</version>\n${extra}</project>\n`

export const FIXTURES: Readonly<Record<string, Fixture>> = {
  'node-npm': { 'package.json': json({ name: 'a', scripts: workflow }), ...nodeParts },
  'node-npm-red': {
    'package.json': json({ name: 'a', scripts: { test: 'node --test', lint: 'node lint.js' } }),
    'a.test.mjs': nodeTest.replace(', 2)', ', 3)'),
    'lint.js': '',
  },
  'node-no-tests-script': {
    'package.json': json({ name: 'a', scripts: { test: 'echo "Error: no test specified" && exit 1' } }),
    'b.test.mjs': nodeTest,
  },
  'node-pnpm-typescript': {
    'package.json': json({
      name: 'a',
      packageManager: 'pnpm@9.1.0',
      scripts: { test: 'vitest' },
      devDependencies: {
        vitest: '4.1.12',
        typescript: '5.9.0',
        eslint: '9.0.0',
        next: '15.0.0',
        react: '19.0.0',
      },
    }),
    'pnpm-lock.yaml': 'lockfileVersion: 9\n',
    'tsconfig.json': '{}',
    'eslint.config.js': '',
  },
  'node-pnpm-monorepo': {
    'package.json': json({ name: 'root', private: true }),
    'pnpm-workspace.yaml': 'packages:\n  - "packages/*"\n  - apps/web\n',
    'packages/core/package.json': json({ name: 'core', scripts: { test: 'node --test', build: 'tsc' } }),
    'apps/web/package.json': json({
      name: 'web',
      scripts: { lint: 'eslint .' },
      dependencies: { vue: '3.0.0' },
    }),
  },
  'node-yarn-classic': {
    'package.json': json({
      name: 'a',
      scripts: { 'test:unit': 'jest', lint: 'eslint .' },
      devDependencies: { jest: '29.0.0' },
    }),
    'yarn.lock': '# yarn lockfile v1\n',
  },
  'node-yarn-berry-workspaces': {
    'package.json': json({ name: 'root', packageManager: 'yarn@4.2.0', workspaces: ['packages/*'] }),
    'yarn.lock': '__metadata:\n  version: 8\n',
    'packages/a/package.json': json({ name: 'a', scripts: { test: 'node --test' } }),
    'packages/b/package.json': json({ name: 'b', scripts: { test: 'node --test', typecheck: 'tsc' } }),
  },
  'node-bun': {
    'package.json': json({ name: 'a', scripts: { test: 'bun test' }, dependencies: { hono: '4.0.0' } }),
    'bun.lock': '{}',
    'biome.json': '{}',
  },
  'node-npm-workspaces': {
    'package.json': json({ name: 'root', private: true, workspaces: ['packages/*'] }),
    'packages/one/package.json': json({ name: 'one', version: '1.0.0', scripts: { test: 'node --test' } }),
    'packages/one/one.test.mjs': nodeTest,
    'packages/two/package.json': json({ name: 'two', version: '1.0.0', scripts: { build: 'node build.js' } }),
    'packages/two/build.js': '',
  },
  'python-pip-unittest': { 'requirements.txt': '', 'tests/test_a.py': pyTest, 'app.py': '' },
  'python-pip-packages': {
    'requirements.txt': 'flask==3.0.0\n',
    'requirements-dev.txt': 'pytest==8.0.0\nruff\n',
    'ruff.toml': '',
    'mypy.ini': '[mypy]\n',
    'test_app.py': 'def test_one():\n    assert True\n',
  },
  'python-uv': {
    'pyproject.toml':
      '[project]\nname = "a"\nversion = "0"\ndependencies = ["fastapi"]\n\n[dependency-groups]\ndev = ["pytest", "ruff", "mypy"]\n\n[tool.ruff]\nline-length = 100\n\n[tool.mypy]\nstrict = true\n',
    'uv.lock': 'version = 1\n',
    'tests/test_a.py': 'import pytest\n',
  },
  'python-poetry': {
    'pyproject.toml':
      '[tool.poetry]\nname = "a"\n\n[tool.poetry.dependencies]\ndjango = "^5"\n\n[tool.pytest.ini_options]\n',
    'poetry.lock': '',
    '.flake8': '[flake8]\n',
  },
  go: {
    'go.mod': 'module example.com/a\n\ngo 1.22\n\nrequire github.com/spf13/cobra v1.8.0\n',
    'main.go': 'package main\n\nfunc main() {}\n',
    'main_test.go': 'package main\n',
    '.golangci.yml': '',
  },
  'go-workspace': {
    'go.work': 'go 1.22\n\nuse (\n\t./api\n\t./worker\n)\n',
    'api/go.mod': 'module example.com/api\n',
    'api/api_test.go': 'package api\n',
    'worker/go.mod': 'module example.com/worker\n',
  },
  rust: { 'Cargo.toml': crate('sample'), 'src/lib.rs': rustLib },
  'rust-workspace': {
    'Cargo.toml': '[workspace]\nresolver = "2"\nmembers = ["crates/*"]\n',
    'crates/one/Cargo.toml': crate('one'),
    'crates/one/src/lib.rs': rustLib,
    'crates/two/Cargo.toml': crate('two'),
    'crates/two/src/lib.rs': rustLib,
    'rustfmt.toml': '',
  },
  'java-maven': {
    'pom.xml': pom('  <properties><maven.compiler.release>17</maven.compiler.release></properties>\n'),
    'src/main/java/A.java': 'class A {}\n',
    'src/test/java/ATest.java': 'class ATest {}\n',
  },
  'java-maven-modules': {
    'pom.xml': pom(
      '  <packaging>pom</packaging>\n  <modules><module>core</module></modules>\n  <build><plugins><plugin><artifactId>maven-checkstyle-plugin</artifactId></plugin></plugins></build>\n',
    ),
    mvnw: '#!/bin/sh\n',
    'core/pom.xml': pom(''),
    'core/src/main/java/A.java': 'class A {}\n',
  },
  'kotlin-gradle': {
    'build.gradle.kts':
      'plugins {\n  kotlin("jvm") version "2.0.0"\n  id("org.jlleitschuh.gradle.ktlint") version "12"\n}\ndependencies { testImplementation("org.junit.jupiter:junit-jupiter:5.10.0") }\n',
    'settings.gradle.kts': 'rootProject.name = "a"\n',
    gradlew: '#!/bin/sh\n',
    'src/main/kotlin/A.kt': '',
    'src/test/kotlin/ATest.kt': '',
  },
  'ruby-rspec': {
    Gemfile: "source 'https://rubygems.org'\ngem 'sinatra'\ngem 'rspec'\n",
    '.rspec': '',
    '.rubocop.yml': '',
  },
  'ruby-rails': {
    Gemfile: "gem 'rails'\n",
    'bin/rails': '#!/usr/bin/env ruby\n',
    'test/models/a_test.rb': '',
    'package.json': json({ name: 'assets', private: true }),
  },
  'php-composer': {
    'composer.json': json({
      require: { 'symfony/framework-bundle': '^7' },
      'require-dev': { 'phpunit/phpunit': '^11' },
    }),
    'phpunit.xml.dist': '',
    'phpstan.neon': '',
    '.php-cs-fixer.dist.php': '',
  },
  'php-laravel': {
    'composer.json': json({ require: { 'laravel/framework': '^11' }, scripts: { lint: 'pint --test' } }),
    artisan: '#!/usr/bin/env php\n',
  },
  dotnet: {
    'App.sln': '',
    'src/App/App.csproj': '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>\n',
    'tests/App.Tests/App.Tests.csproj':
      '<Project><ItemGroup><PackageReference Include="Microsoft.NET.Test.Sdk" /></ItemGroup></Project>\n',
    '.editorconfig': '',
  },
  'mixed-front-and-back': {
    'backend/pyproject.toml': '[project]\nname = "backend"\nversion = "0"\n',
    'backend/tests/test_a.py': pyTest,
    'frontend/package.json': json({
      name: 'frontend',
      scripts: { test: 'node --test', start: 'vite --port 5173' },
    }),
    'frontend/a.test.mjs': nodeTest,
    'docker-compose.yml': 'services:\n  db:\n    image: postgres:16\n    ports: ["5432:5432"]\n',
    '.env.example': 'PORT=3000\nDATABASE_URL=postgres://localhost/app\nSECRET=\n',
  },
  'mixed-at-root': {
    'Cargo.toml': crate('bindings'),
    'src/lib.rs': rustLib,
    'package.json': json({ name: 'bindings', scripts: { test: 'node --test' } }),
    'a.test.mjs': nodeTest,
  },
  'nested-independent': {
    'package.json': json({ name: 'root', scripts: { test: 'node --test' } }),
    'a.test.mjs': nodeTest,
    'tools/gen/package.json': json({ name: 'gen', scripts: { test: 'node --test' } }),
    'tools/gen/package-lock.json': '{"lockfileVersion": 3, "packages": {}}',
    'tools/gen/b.test.mjs': nodeTest,
    'examples/demo/package.json': json({ name: 'demo', scripts: { test: 'exit 1' } }),
    'examples/demo/package-lock.json': '{}',
  },
  'two-lock-files': {
    'package.json': json({
      name: 'a',
      scripts: { test: 'node --test' },
      devDependencies: { mocha: '10.0.0' },
    }),
    'package-lock.json': '{}',
    'yarn.lock': '',
  },
  'hooks-and-settings': {
    'package.json': json({ name: 'a', scripts: { test: 'node --test', dev: 'node server.js --port 4000' } }),
    'a.test.mjs': nodeTest,
    '.husky/pre-commit': 'node --check server.js\n',
    'server.js': '',
    '.pre-commit-config.yaml': 'repos: []\n',
    'lefthook.yml': 'pre-commit: {}\n',
    '.env.example': 'API_PORT=4000\nREDIS_URL=redis://localhost\n',
  },
  'c-make': {
    Makefile: 'CC := cc\n.PHONY: test build\nbuild:\n\t@true\ntest: build\n\t@true\n',
    'main.c': 'int main(void) { return 0; }\n',
  },
  'docs-only': { 'README.md': '# Words\n' },
}
