import type { Vocabulary } from './vocabulary.ts'

/**
 * Puts a sentence that was written in the core's own words (such as the meaning of a signal in the registry)
 * into a vocabulary's. Names in capitals are protocol and stay as they are.
 */
export function speakAs(vocabulary: Vocabulary, text: string): string {
  return text.replace(/\btask\b/g, vocabulary.nouns.work).replace(/\bAXIOM\b/g, vocabulary.product)
}
