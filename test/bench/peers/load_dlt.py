"""dlt as its docs set up a REST API with history: load_dlt.py BASE_URL DATABASE_URL ROUTE..."""

import sys

import dlt
from dlt.sources.rest_api import rest_api_source

base_url, database_url, *routes = sys.argv[1:]
source = rest_api_source(
    {
        "client": {
            "base_url": f"{base_url}/api/v1/",
            "auth": {"type": "api_key", "name": "X-API-Key", "api_key": "bench-key", "location": "header"},
            "paginator": {"type": "cursor", "cursor_path": "paginacion.siguiente", "cursor_param": "cursor"},
        },
        "resource_defaults": {
            "primary_key": "id",
            "write_disposition": {"disposition": "merge", "strategy": "scd2"},
            "endpoint": {"params": {"limite": 200}},
        },
        "resources": [
            {"name": route, "endpoint": {"path": route, "data_selector": route}} for route in routes
        ],
    }
)
pipeline = dlt.pipeline("peers", destination=dlt.destinations.postgres(database_url), dataset_name="raw")
pipeline.run(source).raise_on_failed_jobs()
