import { listSharingTags, readSeriesSharingTags, saveSeriesSharingTags } from '@carrel/api'
import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { etagOf, useChange, useLater } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Row } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { toast } from '../../ui/state/toasts.tsx'

const tagsMax = 200

/** Whoever gives access chooses here who may see it. A change takes effect at once, so it is no part of the form. */
export const SharingTags = ({ id }: { readonly id: string }): ReactNode => {
  const { t } = useTranslation('editing')
  const textOf = useProblemText()
  const mayGive = useMay('system:admin')
  const input = { params: { id } }
  const { data: tags } = useLater(listSharingTags, { query: { pageSize: tagsMax } }, { enabled: mayGive })
  const { data: own } = useLater(readSeriesSharingTags, input, { enabled: mayGive })
  const save = useChange(saveSeriesSharingTags, { invalidates: [readSeriesSharingTags] })
  if (!mayGive || tags === undefined || own === undefined || tags.data.length === 0) return null
  const set = (tagIds: readonly string[], undo: readonly string[] | undefined): void =>
    save.mutate(
      { ...input, body: { tagIds: [...tagIds] }, ifMatch: etagOf(readSeriesSharingTags, input) },
      {
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
        onSuccess: () => toast({ text: t('sharingSaved'), ...(undo && { undo: () => set(undo, undefined) }) }),
      },
    )
  return (
    <Section title={t('sharing')} text={t('sharingText')}>
      <Row gap={5} rowGap={3} align="stretch" wrap>
        {tags.data.map((tag) => (
          <Checkbox
            key={tag.id}
            label={tag.name}
            checked={own.tagIds.includes(tag.id)}
            onChange={({ currentTarget }) =>
              set(
                currentTarget.checked ? [...own.tagIds, tag.id] : own.tagIds.filter((each) => each !== tag.id),
                own.tagIds,
              )
            }
          />
        ))}
      </Row>
    </Section>
  )
}
