import { runInNewContext } from 'node:vm'
import { renderedMax, templateFunctions } from './template-functions.ts'

export interface TemplateJob {
  readonly template: string
  /** The template may use this. */
  readonly context: object
}

export interface RenderedTemplate {
  readonly text: string
  readonly truncated: boolean
  readonly error?: string
}

const templateMsMax = 1000
const blocks = ['if', 'unless', 'each', 'with', 'lookup', 'helperMissing', 'blockHelperMissing'] as const

/**
 * Templates are written by people and may go on for ever: they are rendered here, where time ends them, and have
 * nothing in their hands but what they are given. No partials, no decorators, no prototypes.
 */
export const renderTemplate = async ({ template, context }: TemplateJob): Promise<RenderedTemplate> => {
  const { default: handlebars } = await import('handlebars')
  const engine = handlebars.create()
  for (const name of Object.keys(engine.helpers))
    if (!blocks.some((block) => block === name)) engine.unregisterHelper(name)
  for (const name of Object.keys(engine.decorators)) engine.unregisterDecorator(name)
  for (const [name, called] of Object.entries(templateFunctions)) engine.registerHelper(name, called)

  const render = (): string =>
    engine.compile(template, { noEscape: true })(context, {
      allowProtoPropertiesByDefault: false,
      allowProtoMethodsByDefault: false,
    })
  try {
    const text = runInNewContext('render()', { render }, { timeout: templateMsMax }) as string
    const truncated = text.length > renderedMax
    return { text: (truncated ? text.slice(0, renderedMax) : text).toWellFormed(), truncated }
  } catch (error) {
    return { text: '', truncated: false, error: inWords(error as Error & { code?: string }) }
  }
}

const inWords = ({ code, message }: Error & { code?: string }): string =>
  code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    ? 'The template takes longer than a second, and was stopped.'
    : message.slice(0, 500).toWellFormed()
