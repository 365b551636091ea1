import { SaxesParser } from 'saxes'
import { basicHeader } from './basic-door.ts'
import { plainRequest } from './plain-request.ts'
import type { Person, TestServer } from './start-server.ts'

/** An element by its full name, prefix and all: many applications look for no other. */
export interface Element {
  readonly name: string
  readonly uri: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** Strict: namespaces are declared, every character is one that XML allows. */
export const parseStrictly = (text: string): Element => {
  const root: Element = { name: '', uri: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, uri, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]): [string, string] => [key, value])
    const element: Element = { name, uri, attributes: Object.fromEntries(values), children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (words) => {
    const top = open.at(-1)
    if (top) top.text += words
  })
  parser.on('closetag', () => open.pop())
  parser.write(text).close()
  const [document] = root.children
  if (!document) throw new Error('There is no element')
  return document
}

export const named = ({ children }: Element, name: string): readonly Element[] =>
  children.filter((each) => each.name === name)

export const textOf = (element: Element, name: string): string | undefined => named(element, name)[0]?.text

/** The addresses of an element's links, by relation; of several the first. */
export const linkOf = (element: Element, rel: string, type?: string): string | undefined =>
  named(element, 'link').find(
    ({ attributes }) => attributes['rel'] === rel && (type === undefined || attributes['type'] === type),
  )?.attributes['href']

/** Somebody's reading application: it knows a name and a password and nothing else. */
export const readingApp = (server: TestServer, { username, password }: Pick<Person, 'username' | 'password'>) => {
  const headers = basicHeader(username, password)
  const ask = (path: string, more: Record<string, string> = {}, method = 'GET', body?: unknown) =>
    plainRequest(path.startsWith('http') ? path : server.url + path, {
      method,
      headers: { ...headers, ...more },
      ...(body !== undefined && { body }),
    })
  const feed = async (path: string): Promise<Element> => {
    const { status, text } = await ask(path)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
    return parseStrictly(text)
  }
  const json = async <Document>(path: string): Promise<Document> => {
    const { status, text, json } = await ask(path)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
    return json as Document
  }
  return { ask, feed, json }
}

export type ReadingApp = ReturnType<typeof readingApp>
