import { driverContract } from '../../../src/agents/driver.contract.ts'
import { acpDriver } from '../../../src/agents/drivers/acp.ts'
import { GEMINI } from '../../../src/agents/drivers/acp-profile.ts'
import { findClient } from '../install-client.ts'
import { contractSubject, useScriptedClient } from '../scripted-subject.ts'
import { workSuite } from '../work-suite.ts'

const gemini = findClient('gemini')
/** Ten attempts of its own, its default, take four minutes. */
const SETTINGS = JSON.stringify({
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { maxAttempts: 2 },
})

const client = useScriptedClient({
  makeDriver: (host, api) =>
    acpDriver(host, {
      profile: { ...GEMINI, program: gemini.program },
      model: 'gemini-2.5-pro',
      credentials: {
        environment: { GEMINI_API_KEY: 'scripted-key', GOOGLE_GEMINI_BASE_URL: api.url },
        files: { '.gemini/settings.json': SETTINGS },
        secrets: ['scripted-key'],
      },
    }),
})

driverContract(
  contractSubject('gemini', client, {
    remembers: 'it finds no earlier session in a new process',
  }),
)
workSuite(`gemini ${gemini.version}`, client)
