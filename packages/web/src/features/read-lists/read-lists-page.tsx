import { addressOf, createReadList, listReadLists, readReadListThumbnail } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { useChange } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { CardPages } from '../../lists/card-pages.tsx'
import { useItemText } from '../../lists/item-text.ts'
import { NameDialog } from '../../lists/name-dialog.tsx'
import { useGoTo } from '../../lists/use-go-to.ts'
import { pageQuery, pageSize } from '../../lists/use-pages.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { CoverCard } from '../../ui/cover-card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { ImportList } from './import-list.tsx'

export const ReadListsPage = (): ReactNode => {
  const { t } = useTranslation('read-lists')
  const text = useItemText()
  const [isNaming, setNaming] = useState(false)
  const goTo = useGoTo()
  const create = useChange(createReadList, {
    invalidates: [listReadLists],
    onDone: ({ id }) => goTo(paths.readList(id))(),
  })
  const mayWrite = useMay('readlists:write')
  const newButton = (
    <Button leftSection={<Icon name="plus" size="small" />} onClick={() => setNaming(true)}>
      {t('new')}
    </Button>
  )
  return (
    <Page
      title={t('title')}
      actions={
        mayWrite ? (
          <>
            <ImportList />
            {newButton}
          </>
        ) : undefined
      }
    >
      <CardPages
        label={t('title')}
        source={{ key: 'read-lists', page: (page) => pageQuery(listReadLists, { query: { page, pageSize } }) }}
        empty={<EmptyState icon="list" title={t('none')} text={t('noneText')} />}
        renderCard={({ id, name, bookCount, updatedAt }, { focus }) => (
          <CoverCard
            title={name}
            subtitle={text.count('books', bookCount)}
            src={
              bookCount === 0 ? null : `${basePath}${addressOf(readReadListThumbnail, { params: { id } })}?${updatedAt}`
            }
            icon="list"
            to={paths.readList(id)}
            link={AppLink}
            focus={focus}
          />
        )}
      />
      {isNaming ? (
        <NameDialog
          title={t('new')}
          before={{ name: '', summary: null, ordered: true }}
          error={create.error}
          isPending={create.isPending}
          onSave={(body) => create.mutate({ body })}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </Page>
  )
}
