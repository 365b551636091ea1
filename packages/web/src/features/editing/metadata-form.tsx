import { sections } from '@carrel/api'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/call.ts'
import { useLater } from '../../api/queries.ts'
import { Section } from '../../ui/layout/page.tsx'
import { useProblemText } from '../../text/problem-text.ts'
import { FieldRow } from './field-row.tsx'
import { fieldsIn, isShort } from '../../metadata/fields.ts'
import { Grid, Stack } from '../../ui/layout/layout.tsx'
import styles from './metadata-form.module.css'
import type { Editor } from './use-editor.ts'

/** Every field there is, under headings; short ones beside each other. */
export const MetadataForm = ({ editor }: { readonly editor: Editor }): ReactNode => {
  const { t } = useTranslation('editing')
  const { entity, id, problem } = editor
  const { data: sources } = useLater(entity.sources, { params: { id } })
  const textOf = useProblemText()
  const refusals = refusalsIn(problem, textOf)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    editor.save()
  }
  return (
    <Stack as="form" gap={6} id="metadata" className={styles.form} onSubmit={submit} noValidate>
      {sections.map((group) => {
        const fields = fieldsIn(entity.kind, group)
        return fields.length === 0 ? null : (
          <Section key={group} title={t(`group.${group}`)}>
            <Grid gap={5} rowGap={4} min={17} align="start">
              {fields.map((field) => (
                <div key={field} className={styles.field} data-short={isShort(field)}>
                  <FieldRow
                    editor={editor}
                    field={field}
                    sources={sources?.fields[field]}
                    refusal={refusals.get(field)}
                  />
                </div>
              ))}
            </Grid>
          </Section>
        )
      })}
    </Stack>
  )
}

/** It says by field why it was refused: `/authors/0/name` is about the authors. */
const refusalsIn = (problem: unknown, textOf: (problem: unknown) => string): ReadonlyMap<string, string> =>
  new Map(
    problem instanceof ApiProblem
      ? problem.details.map(({ path }) => [path.split('/')[1] ?? '', textOf(problem)] as const)
      : [],
  )
