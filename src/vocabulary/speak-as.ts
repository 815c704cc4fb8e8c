import type { Vocabulary } from './vocabulary.ts'

/**
 * Translates a sentence from the core's terms (such as the meaning of a signal in the registry) into those of
 * a vocabulary. Names in capitals are protocol and stay as they are.
 */
export function speakAs(vocabulary: Vocabulary, text: string): string {
  return text.replace(/\btask\b/g, vocabulary.nouns.work).replace(/\bAXIOM\b/g, vocabulary.product)
}
