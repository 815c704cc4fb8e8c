import { driverContract } from '../../../src/agents/driver.contract.ts'
import { acpDriver } from '../../../src/agents/drivers/acp.ts'
import { OPENCODE } from '../../../src/agents/drivers/acp-profile.ts'
import type { ScriptedApi } from '../../scripted-api/server.ts'
import { findClient } from '../install-client.ts'
import { contractSubject, useScriptedClient } from '../scripted-subject.ts'
import { workSuite } from '../work-suite.ts'

const opencode = findClient('opencode')

function configuration(api: ScriptedApi): string {
  const options = { baseURL: `${api.url}/v1`, apiKey: 'scripted-key' }
  const models = { 'scripted-model': { name: 'Scripted', cost: { input: 3, output: 15 } } }
  return JSON.stringify({
    model: 'scripted/scripted-model',
    autoupdate: false,
    share: 'disabled',
    provider: { scripted: { npm: '@ai-sdk/openai-compatible', name: 'scripted', options, models } },
  })
}

const client = useScriptedClient({
  makeDriver: (host, api) =>
    acpDriver(host, {
      profile: { ...OPENCODE, program: opencode.program },
      credentials: {
        environment: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
        files: { '.config/opencode/opencode.json': configuration(api) },
        secrets: ['scripted-key'],
      },
    }),
})

driverContract(contractSubject('opencode', client))
workSuite(`opencode ${opencode.version}`, client)
