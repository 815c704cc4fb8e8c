import { driverContract } from '../../../src/agents/driver.contract.ts'
import { codexDriver } from '../../../src/agents/drivers/codex.ts'
import type { ScriptedApi } from '../../scripted-api/server.ts'
import { findClient } from '../install-client.ts'
import { contractSubject, useScriptedClient } from '../scripted-subject.ts'
import { workSuite } from '../work-suite.ts'

const codex = findClient('codex')

/** The program knows the model's service only through its configuration file. */
function configuration(api: ScriptedApi): string {
  return [
    'model_provider = "scripted"',
    '[model_providers.scripted]',
    'name = "scripted"',
    `base_url = "${api.url}/v1"`,
    'wire_api = "responses"',
    'env_key = "OPENAI_API_KEY"',
    'request_max_retries = 1',
    'stream_max_retries = 1',
    '[analytics]',
    'enabled = false',
  ].join('\n')
}

const client = useScriptedClient({
  makeDriver: (host, api) =>
    codexDriver(host, {
      program: codex.program,
      model: 'scripted-model',
      credentials: {
        environment: { OPENAI_API_KEY: 'scripted-key' },
        files: { '.codex/config.toml': configuration(api) },
        secrets: ['scripted-key'],
      },
    }),
})

driverContract(contractSubject('codex', client, { listens: 'its input is closed after the prompt' }))
workSuite(`codex ${codex.version}`, client)
