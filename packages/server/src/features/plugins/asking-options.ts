import type { UpdatePluginRequest } from '@carrel/api'
import type { Context } from '../../context.ts'
import { BookFault } from '../../formats/book-format.ts'
import { invalid } from '../../platform/errors.ts'

type SearchOptions = Pick<
  UpdatePluginRequest,
  'searchQueryTemplate' | 'searchPreprocessingRules' | 'autoMatchConditions'
>

const templateMsMax = 10_000
/** It has the shape of the context a template may use. */
const anyContext = {
  title: 'Title',
  bookCount: 1,
  metadata: { title: 'Title', year: 2000, authors: [], genres: [] },
  externalIds: { count: 0 },
  customMetadata: {},
}

/** It refuses what could never be understood when a plugin is to be asked: nobody would look for the mistake there. */
export const requireAskable = async (
  { decoders }: Pick<Context, 'decoders'>,
  { searchQueryTemplate, searchPreprocessingRules, autoMatchConditions }: SearchOptions,
): Promise<void> => {
  for (const [index, { pattern }] of (searchPreprocessingRules ?? []).entries())
    requirePattern(pattern, 'gu', `/searchPreprocessingRules/${index}/pattern`)
  for (const [index, rule] of (autoMatchConditions?.rules ?? []).entries())
    requireRule(rule, `/autoMatchConditions/rules/${index}`)
  if (searchQueryTemplate == null) return
  const problem = await templateProblem(decoders, searchQueryTemplate)
  if (problem !== undefined) throw invalid('/searchQueryTemplate', problem)
}

/** The pattern is only parsed here: its running time is limited where it runs. */
const requirePattern = (pattern: string, flags: string, path: string): void => {
  const problem = patternProblem(pattern, flags)
  if (problem !== undefined)
    throw invalid(path, `This is no regular expression: ${problem}`, { reason: 'pattern_wrong' })
}

const patternProblem = (pattern: string, flags: string): string | undefined => {
  try {
    return RegExp(pattern, flags) && undefined
  } catch (error) {
    return (error as Error).message
  }
}

type Rule = NonNullable<UpdatePluginRequest['autoMatchConditions']>['rules'][number]

const fields = /^(?:title|book_?count|(?:metadata|external_?ids|custom_?metadata)\.[^.\s]+(?:\.[^.\s]+)*)$/i
const withoutValue: ReadonlySet<string> = new Set(['is_null', 'is_not_null'])
const ofNumbers: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte'])
const ofLists: ReadonlySet<string> = new Set(['in', 'not_in'])

const requireRule = ({ field, operator, value }: Rule, path: string): void => {
  if (!fields.test(field))
    throw invalid(
      `${path}/field`,
      'It is title, bookCount, or something of metadata, externalIds or customMetadata, such as metadata.year.',
    )
  if (withoutValue.has(operator)) return
  if (value === undefined) throw invalid(`${path}/value`, `With ${operator} a value is needed.`)
  if (ofNumbers.has(operator) && !Number.isFinite(Number(value ?? undefined)))
    throw invalid(`${path}/value`, `With ${operator} it is a number.`)
  if (ofLists.has(operator) && !Array.isArray(value)) throw invalid(`${path}/value`, `With ${operator} it is a list.`)
  if (operator !== 'matches') return
  if (typeof value !== 'string') throw invalid(`${path}/value`, 'With matches it is a regular expression.')
  requirePattern(value, 'iu', `${path}/value`)
}

const templateProblem = async (decoders: Context['decoders'], template: string): Promise<string | undefined> => {
  const input = { template, context: anyContext }
  try {
    return (await decoders.run('renderTemplate', input, { urgent: true, silenceMaxMs: templateMsMax })).error
  } catch (error) {
    if (error instanceof BookFault) return 'The template could not be tried.'
    throw error
  }
}
