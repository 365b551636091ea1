import { type LibraryDto, readLibrary } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AdministeredLibrary } from '../../../scans/administered-library.tsx'
import { useRead } from '../../../api/queries.ts'
import { useMay } from '../../../session/me.ts'
import { Form } from '../../../ui/form/form.tsx'
import { Row, Text } from '../../../ui/layout/layout.tsx'
import { Section } from '../../../ui/layout/page.tsx'
import { FolderList } from '../folder-list.tsx'
import { DeleteLibrary } from './delete-library.tsx'
import { changesOf, type Draft, draftOf, isChanged } from './draft.ts'
import { GroupingField, useGroupingPreview } from './grouping-field.tsx'
import { ListsField } from './lists-field.tsx'
import { SidecarsField } from './sidecars-field.tsx'
import { NameFields } from './name-fields.tsx'
import { ReadingFields } from './reading-fields.tsx'
import { ScheduleField } from './schedule-field.tsx'
import styles from './settings-page.module.css'
import { useSaving } from './use-saving.ts'
import { WatchField } from './watch-field.tsx'
import { WhatCounts } from './what-counts.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/libraries/$libraryId/settings')

export const LibrarySettingsPage = (): ReactNode => {
  const library = useRead(readLibrary, { params: { id: route.useParams().libraryId } })
  const mayDelete = useMay('libraries:delete')
  return (
    <AdministeredLibrary library={library}>
      <Settings key={library.id} library={library} />
      {mayDelete ? <DeleteLibrary library={library} /> : null}
    </AdministeredLibrary>
  )
}

const Settings = ({ library }: { readonly library: LibraryDto }): ReactNode => {
  const { t } = useTranslation('libraries')
  // Fields that were not touched here follow changes made by others.
  const [edited, setEdited] = useState<Partial<Draft>>({})
  const before = draftOf(library)
  const draft = { ...before, ...edited }
  const changes = changesOf(before, draft)
  const [isRequested, setIsRequested] = useState(false)
  const preview = useGroupingPreview(library, draft.grouping, isRequested)
  const ask = (): void => {
    if (isRequested) void preview.refetch()
    else setIsRequested(true)
  }
  const { save, isBusy, problem } = useSaving(library, () => setEdited({}))
  const change = (part: Partial<Draft>): void => setEdited({ ...edited, ...part })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save(changes, preview.data?.previewId)
  }
  const isReady = isChanged(changes) && draft.roots.length > 0 && (!changes.grouping || preview.data !== undefined)
  return (
    <Form onSubmit={submit} problem={problem} gap={6} className={styles.form}>
      <Section title={t('sections.library')}>
        <NameFields draft={draft} onChange={change} />
        <FolderList roots={draft.roots} onChange={(roots) => change({ roots })} />
        {changes.roots ? (
          <Text quiet size={14}>
            {t('rootsHint')}
          </Text>
        ) : null}
      </Section>
      <Section title={t('sections.series')}>
        <GroupingField
          library={library}
          grouping={draft.grouping}
          preview={preview}
          onAsk={ask}
          onChange={(grouping) => change({ grouping })}
        />
        <ReadingFields draft={draft} onChange={change} />
        <ListsField isOn={draft.listsFromFiles} onChange={(listsFromFiles) => change({ listsFromFiles })} />
      </Section>
      <Section title={t('sections.files')} text={t('sections.filesText')}>
        <WhatCounts draft={draft} onChange={change} />
        <SidecarsField target={draft.sidecars} onChange={(sidecars) => change({ sidecars })} />
      </Section>
      <Section title={t('sections.scans')}>
        <WatchField isOn={draft.watch} onChange={(watch) => change({ watch })} />
        <ScheduleField schedule={draft.schedule} onChange={(schedule) => change({ schedule })} />
      </Section>
      <Row gap={2} align="stretch" className={styles.save}>
        <Button type="submit" loading={isBusy} disabled={!isReady}>
          {t('save')}
        </Button>
        <Button variant="default" disabled={!isChanged(changes)} onClick={() => setEdited({})}>
          {t('discard')}
        </Button>
      </Row>
    </Form>
  )
}
