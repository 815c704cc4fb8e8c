import type { Step } from '../step.ts'
import type { Role } from './role.ts'

const SEATS = [0, 1, 2, 3, 5, 6, 7, 8]
const NAMES = ['Lyra', 'Kael', 'Mira', 'Orin', 'Tess', 'Bram', 'Ines', 'Juno']

/** Summons a team, wakes the members named in the prompt, or reports an empty team. */
export const lead: Role = ({ situation: { prompt } }) => {
  if (prompt.includes('[SUMMON AGENTS]')) {
    const members = SEATS.map((seat, i) => ({ name: NAMES[i] ?? `Member ${seat}`, seat }))
    const registered = members.map(
      ({ name, seat }): Step => ({
        do: 'say',
        text: `[AGENT_REGISTERED] ${JSON.stringify({
          name,
          color: '#c9b1e8',
          colorName: 'Simulated Violet',
          gender: 'woman',
          gridPosition: seat,
          faceVariant: { eyes: 'standard', mouth: 'gentle' },
          individuationArtifact: `I am ${name}, and I chose this name.`,
        })}`,
      }),
    )
    return [...registered, status(members)]
  }
  const woken = [...prompt.matchAll(/<agent name="([^"]+)"[^>]*?position="(\d)"/g)]
  const members = woken.map(([, name = '', seat = '0']) => ({ name, seat: Number(seat) }))
  return [status(prompt.includes('[WAKE AGENTS]') ? members : [])]
}

function status(members: readonly { readonly name: string; readonly seat: number }[]): Step {
  const agents = members.map(({ name, seat }) => ({ name, status: 'alive', gridPosition: seat }))
  return { do: 'say', text: `The team stands like this.\n[AGENT_STATUS] ${JSON.stringify({ agents })}` }
}
