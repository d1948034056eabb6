-- row: a product and attribute, as it is now
-- question: Which attributes of products does the API know?
-- group: business
-- history: products
create or replace view bi.product_attributes as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  coalesce(x.id, x.record_key) as product_id, -- Identifier of the product, every digit as the API sent it. <- products.id or data
  x.sku, -- SKU. <- products.sku
  x.title, -- Name of the product. <- products.title
  a.attribute, -- Name of the attribute as the API words it. <- products.attributes
  a.value, -- Its value as text; empty where it has none. <- products.attributes
  x.run_date
from bi_map.products as x
cross join lateral (
  select key as attribute, coalesce(sync.as_text(value), value::text) as value
  from jsonb_each(case jsonb_typeof(x.attributes) when 'object' then x.attributes end)
  where jsonb_typeof(value) <> 'null'
  union all
  select n.name, coalesce(e ->> 'valor', e ->> 'value', (
      -- The only other member, whatever it is called.
      select min(m.value) from jsonb_each_text(case jsonb_typeof(e) when 'object' then e end) as m
      where m.value <> n.name having count(*) = 1
    ))
  from jsonb_array_elements(case jsonb_typeof(x.attributes) when 'array' then x.attributes end) as l (e)
  cross join lateral (
    select coalesce(e ->> 'atributo', e ->> 'attribute', e ->> 'nombre', e ->> 'name', e ->> 'clave', e ->> 'key', e ->> 'campo',
      e ->> 'field', e ->> 'propiedad', e ->> 'property', e ->> 'etiqueta', e ->> 'label', sync.as_text(e)) as name
  ) as n
) as a
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where a.attribute is not null and c.left_on is null;
