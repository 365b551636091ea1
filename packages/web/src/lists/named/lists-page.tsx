import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useChange } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { WayOut } from '../../navigation/way-out.tsx'
import { useMay } from '../../session/me.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { CardPages } from '../pages/card-pages.tsx'
import { ListCard } from './list-card.tsx'
import { NameDialog } from './name-dialog.tsx'
import { useGoTo } from '../search/use-go-to.ts'
import { pageQuery, pageSize } from '../pages/use-pages.ts'
import type { ListKind, ListTypes } from './kind.ts'

interface ListsPageProps<Types extends ListTypes> {
  readonly kind: ListKind<Types>
  readonly title: string
  readonly newList: string
  readonly none: { readonly title: string; readonly text: string }
  /** It stands before the button that makes a new list. */
  readonly besides?: ReactNode
}

export const ListsPage = <Types extends ListTypes>(props: ListsPageProps<Types>): ReactNode => {
  const { kind, title, newList, none, besides } = props
  const { endpoints, icon, pathOf } = kind
  const [isNaming, setNaming] = useState(false)
  const goTo = useGoTo()
  const create = useChange(endpoints.create, {
    invalidates: [endpoints.all],
    onDone: ({ id }) => goTo(pathOf(id))(),
  })
  const makeOne = (
    <Button radius="xl" onClick={() => setNaming(true)}>
      {newList}
    </Button>
  )
  const actions = useMay(kind.mayWrite) ? (
    <>
      {besides}
      <Button leftSection={<Icon name="plus" size="small" />} onClick={() => setNaming(true)}>
        {newList}
      </Button>
    </>
  ) : undefined
  return (
    <Page title={title} actions={actions}>
      <CardPages
        label={title}
        source={{ key: kind.key, page: (page) => pageQuery(endpoints.all, { query: { page, pageSize } }) }}
        empty={<EmptyState icon={icon} {...none} action={actions === undefined ? <WayOut /> : makeOne} />}
        card="fan"
        renderCard={(list, { focus }) => <ListCard kind={kind} list={list} focus={focus} />}
      />
      {isNaming ? (
        <NameDialog
          title={newList}
          before={{ name: '', summary: null, ordered: kind.isOrdered }}
          error={create.error}
          isPending={create.isPending}
          onSave={(body) => create.mutate({ body })}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </Page>
  )
}
