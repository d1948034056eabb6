// The account's clients: the body is the list.
import { whole } from '../english/kit.ts';
import { at, checksum, is, slashed, type Theme, unsure } from './kit.ts';
import { clients as all } from './owners.ts';

export const clients: Theme = {
  routes: {
    clientes: ({ day }) =>
      all.map((client, index) => ({
        num_interno: 41 + index * 3,
        cod_cliente: client.id,
        nombre_comercial: client.name,
        razon_social: client.legalName,
        alias: client.slug,
        web: client.site,
        situacion: day > 1 && client.status === 'prueba' ? 'activo' : client.status,
        actividad: client.sector,
        cnae: String(whole(1000, 9609, 'cnae', client.slug)),
        sede: {
          direccion: `C/ Mayor, ${whole(1, 90, 'street', client.slug)}`,
          provincia: client.province,
          pais: client.country,
        },
        fec_alta: slashed(client.since),
        fec_modif: at(Math.min(day, 1) - index, 9.4),
        usuarios: whole(1, 9, 'users', client.slug),
        huella: checksum('client', client.slug),
        notas: index === 2 ? 'Revisar contrato en junio' : null,
      })),
  },
  truth: {
    // The client of a client is itself: there is little to tell it from a reference.
    'clients.client': unsure('cod_cliente'),
    'clients.id': is('cod_cliente'),
    'clients.name': is('nombre_comercial', 'razon_social'),
    'clients.domain': is('web'),
    'clients.status': is('situacion'),
    'clients.sector': is('actividad'),
    'clients.country': is('sede.pais'),
    'clients.created': is('fec_alta | dmy'),
  },
};
