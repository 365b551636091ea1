import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** It is asked for at a terminal, which does not show it, and otherwise read from standard input. */
export const askSecret = async (question: string): Promise<string> =>
  process.stdin.isTTY ? askHidden(question) : (await text(process.stdin)).replace(/\r?\n$/, '')

const askHidden = async (question: string): Promise<string> => {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  const answer = await terminal.question('')
  terminal.close()
  process.stderr.write('\n')
  return answer
}
